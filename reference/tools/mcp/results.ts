// Converts the answer of an MCP server into the return value of a tool.

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";

import type { ToolReturn } from "../../core/ports.ts";
import { toolResult } from "../tool-output.ts";
import type { Part } from "../../../schemas/types.ts";

/** @see MCP-8 MCP-9 MCP-10 */
export function toolReturnOf({ content, structuredContent: data, isError }: CallToolResult): ToolReturn {
  const parts = content.map(partOf);
  const isDataOnly = parts.length === 0 && data !== undefined; // then the loop renders the data
  return toolResult({
    ...(!isDataOnly && { output: outputOf(parts) }),
    ...(data !== undefined && { data }),
    ...(isError && { is_error: true }),
  });
}

function outputOf(parts: Part[]): string | Part[] {
  const [first] = parts;
  if (!first) return "";
  return parts.length === 1 && first.type === "text" ? String(first["text"]) : parts;
}

function partOf(block: ContentBlock): Part {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "image") return { type: "image", media_type: block.mimeType, data: block.data };
  if (block.type !== "resource") return described(block);
  const { resource } = block;
  if ("text" in resource) return { type: "text", text: resource.text };
  const { mimeType = "", blob } = resource;
  if (mimeType.startsWith("image/")) return { type: "image", media_type: mimeType, data: blob };
  if (mimeType === "application/pdf")
    return { type: "document", media_type: mimeType, data: blob, title: resource.uri };
  return described(block);
}

/** Blocks without a matching part become JSON, without their bytes, which a model could not read. */
function described(block: ContentBlock): Part {
  return { type: "text", text: JSON.stringify(block, (key, value) => (isBytes(key) ? undefined : (value as unknown))) };
}

function isBytes(key: string): boolean {
  return key === "data" || key === "blob";
}
