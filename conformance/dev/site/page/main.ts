// Begins a page of the site: the search over all pages, the lit place in the contents, what is opened by its address, ids to copy.

import { offerIds } from "../../spec-page/page/copy-id.ts";
import { lightContents } from "../../spec-page/page/lit-contents.ts";
import { openTarget } from "../../spec-page/page/open-target.ts";
import { startSearch } from "../../spec-page/page/search.ts";
import { readIndex } from "./read-index.ts";

startSearch(readIndex);
if (document.getElementById("contents")) lightContents();
offerIds();
if (location.hash !== "") openTarget();
addEventListener("hashchange", openTarget);
