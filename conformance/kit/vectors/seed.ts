// The words and ids of vectors are the same in every export, so that two exports can be compared.

/** The seed of every vector. */
export const vectorSeed = 1;
