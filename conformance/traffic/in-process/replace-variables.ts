// Replaces environment variables for the duration of a test.

/** Makes the variables those of another environment. @returns what puts the old ones back */
export function replaceVariables(environment: NodeJS.ProcessEnv | undefined, other: NodeJS.ProcessEnv): () => void {
  if (!environment) return () => {};
  const before = { ...environment };
  assign(environment, other);
  return () => assign(environment, before);
}

function assign(environment: NodeJS.ProcessEnv, values: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (!(name in values)) delete environment[name];
  Object.assign(environment, values);
}
