// Begins the page of the spec: the search, the lit place in the contents, what is opened by its address, ids to copy.

import { offerIds } from "./copy-id.ts";
import { lightContents } from "./lit-contents.ts";
import { placesOf } from "./found.ts";
import { openTarget } from "./open-target.ts";
import { startSearch } from "./search.ts";

startSearch(() => placesOf(document));
lightContents();
offerIds();
openTarget();
addEventListener("hashchange", openTarget);
