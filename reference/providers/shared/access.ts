// Looks at the address and the key of a server before anything is sent.

/** Where a server is and what opens it. What is absent or null is the SDK's to find. */
export interface Access {
  api_key?: unknown;
  base_url?: unknown;
}

/**
 * Refuses an address that is none and a key that no header can carry, so that nobody waits for an answer that cannot come. The
 * key is in no message.
 * @throws Error that says which of them is wrong, and how
 * @see PROVIDER-40
 */
export function checkAccess({ api_key, base_url }: Access): void {
  if (base_url !== undefined && base_url !== null) checkAddress(String(base_url));
  if (typeof api_key === "string") checkKey(api_key);
}

function checkAddress(text: string): void {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: "" };
  if (protocol === "http:" || protocol === "https:") return;
  throw new Error(
    `base_url: expected an address that begins with http:// or https://, got ${JSON.stringify(text)}. ` +
      "Leave it out for the provider's own.",
  );
}

function checkKey(key: string): void {
  if (key === "") throw new Error("api_key: expected the key of the provider, got an empty text.");
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(key))
    throw new Error("api_key: it has white space or a character that a header cannot carry. Copy the key again.");
}
