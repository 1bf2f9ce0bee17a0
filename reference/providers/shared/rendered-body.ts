// What an adapter renders a request to.

import type { RenderWarning } from "./losses.ts";
import type { Renamed } from "./tool-names.ts";

/** A body to send. `renamed` has the tools whose own names the API refuses, by the names that it is sent. */
export interface RenderedBody {
  body: Record<string, unknown>;
  warnings: RenderWarning[];
  renamed: Renamed;
}
