// Loads a file of data that is written as a script.

/**
 * Resolves when the script has run.
 * @throws Error that names the file, if it cannot be loaded
 */
export function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${address} cannot be loaded; is the site whole?`)));
    document.head.append(script);
  });
}
