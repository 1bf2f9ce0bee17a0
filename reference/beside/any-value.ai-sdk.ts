// A tool that returns what it has.

import { tool } from "ai";
import { z } from "zod";

export const weather = tool({ inputSchema: z.object({}), execute: () => ({ degrees: 18, seen: new Date() }) });
