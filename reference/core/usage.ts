// The usage of a call whose tokens are unknown. Data.

import type { Usage } from "../../schemas/types.ts";

/** null means unknown, which is not zero. @see PROVIDER-18 */
export const UNKNOWN: Readonly<Usage> = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
};
