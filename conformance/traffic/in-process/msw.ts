// A handler for Mock Service Worker that answers as recorded. The module that needs `msw`.

import { http } from "msw";
import type { HttpHandler } from "msw";
import { routeOfUrl } from "../record/routes.ts";
import type { InProcessTape } from "./in-process-tape.ts";

/**
 * What `setupServer` and `server.use` take: it answers what is asked of the upstreams of the tape. Requests to other hosts are left
 * to other handlers, and to `onUnhandledFrame`.
 * @see REPLAY-9
 */
export function tapeHandler(tape: InProcessTape): HttpHandler {
  const isOurs = ({ method, url }: Request) => routeOfUrl(method, url, tape.upstreams) !== undefined;
  return http.all(
    ({ request }) => isOurs(request),
    ({ request }) => tape.fetch(request),
  );
}
