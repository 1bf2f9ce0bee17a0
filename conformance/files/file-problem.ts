// What the command `validate` finds in a file.

/** Something that is wrong with a file. */
export interface FileProblem {
  pointer: string;
  message: string;
  requirement?: string;
}
