// Puts the parts of an answer together as generic messages, whether they come whole or in pieces.

import { isRecord, parseArguments } from "../shared/arguments.ts";
import { addPieces } from "./partial-arguments.ts";
import { PROVIDER, type Fields } from "./parts.ts";
import { appendText } from "../shared/text-buffer.ts";
import type { StreamEvent } from "../../core/ports.ts";
import type { Message } from "../../../schemas/types.ts";

/** A text or a thought while it grows. */
interface Growing {
  place: number;
  isThought: boolean;
  text: string;
  opaque: Fields;
  /** It has its signature: what comes next is another part. */
  isSigned: boolean;
}

/** Collects the messages of one answer. */
export interface Collector {
  /** Takes the next part; `exact` is the same with all digits of its numbers. */
  take(part: Fields, exact: Fields): void;
  /** Ends the answer. `found` is kept beside its last text. Returns the messages. */
  end(found?: Fields): Message[];
}

/**
 * Texts that follow each other are one message, and so are thoughts, up to a signature: what came with one goes back with it.
 * @see GEMINI-9
 */
export function createCollector(model: string, onStream: (event: StreamEvent) => void): Collector {
  const messages: Message[] = [];
  let open: Growing | undefined;
  /** A call whose arguments come in pieces. */
  let begun: { part: Fields; args: Fields } | undefined;
  let ended: Message[] | undefined;

  function take(part: Fields, exact: Fields): void {
    const { text, thought, thoughtSignature, functionCall, ...rest } = part;
    if (!isRecord(functionCall)) finish(false);
    if (typeof text === "string" && Object.keys(rest).length === 0)
      return takeText(text, thought === true, thoughtSignature);
    close();
    if (isRecord(functionCall) && (begun !== undefined || functionCall.willContinue === true))
      return takePiece(part, functionCall);
    if (functionCall !== undefined) return takeCall(part, exact);
    if (Object.keys(part).length > 0) whole({ type: "provider_item", provider: PROVIDER, model, item: part });
  }

  function takeText(text: string, isThought: boolean, signature: unknown): void {
    const isSigned = typeof signature === "string" && signature !== "";
    if (text === "" && !isSigned) return;
    if (open && (open.isThought !== isThought || open.isSigned)) close();
    if (!open && text === "") {
      const item = { text, ...(isThought && { thought: true }), thoughtSignature: signature };
      return whole({ type: "provider_item", provider: PROVIDER, model, item });
    }
    const isNew = open === undefined;
    const grown = (open ??= { place: messages.length, isThought, text: "", opaque: {}, isSigned: false });
    // The listener may end the answer, so what it is told of is there before.
    grown.text = appendText(grown.text, text);
    grown.isSigned = isSigned;
    if (isSigned) grown.opaque = { signature, ...(text === "" && { signature_apart: true }) };
    if (isNew) onStream({ type: "message_start", index: grown.place, message: emptyOf(isThought) });
    if (text !== "" && open === grown) onStream({ type: "message_delta", index: grown.place, delta: text });
  }

  function takePiece(part: Fields, { name, args, partialArgs, willContinue }: Fields): void {
    if (begun && typeof name === "string" && name !== "") finish(false);
    begun ??= { part, args: isRecord(args) ? { ...args } : {} };
    addPieces(begun.args, partialArgs);
    if (willContinue !== true) finish(true);
  }

  /** The call that has come in pieces: whole if its last one has come, else as far as it came. */
  function finish(isWhole: boolean): void {
    if (!begun) return;
    const { part, args } = begun;
    const { willContinue: _more, partialArgs: _pieces, ...call } = part.functionCall as Fields;
    begun = undefined;
    const whole = { ...part, functionCall: { ...call, args } };
    takeCall(whole, whole, isWhole);
  }

  function takeCall({ functionCall, thoughtSignature, ...beside }: Fields, exact: Fields, isWhole = true): void {
    const { id, name } = functionCall as Fields;
    const { args = {} } = (exact.functionCall ?? {}) as Fields;
    const opaque = {
      provider: PROVIDER,
      model,
      ...(typeof thoughtSignature === "string" && { signature: thoughtSignature }),
      ...(Object.keys(beside).length > 0 && { beside }),
    };
    const call = { type: "tool_call", id: asText(id), name: asText(name) } as const;
    const text = JSON.stringify(args ?? {});
    // What is missing may be what matters: it must not be taken for an object. [TOOL-3]
    const written = isWhole ? text : text.slice(0, -1);
    whole({ ...call, ...parseArguments(written), opaque }, written);
  }

  function whole(message: Message, written = ""): void {
    const index = messages.length;
    const started =
      message.type === "tool_call" ? { type: message.type, id: message.id, name: message.name, input: {} } : message;
    onStream({ type: "message_start", index, message: started as Message });
    if (written !== "") onStream({ type: "message_delta", index, delta: written });
    messages.push(message);
    onStream({ type: "message_end", index, message });
  }

  function close(found: Fields = {}): void {
    if (!open) return;
    const { place, isThought, text, opaque } = open;
    open = undefined;
    const kept = { ...opaque, ...(isThought ? {} : found) };
    const own = { opaque: { provider: PROVIDER, model, ...kept } };
    const message: Message = isThought
      ? { type: "thinking", content: text, ...own }
      : { role: "assistant", content: text, ...(Object.keys(kept).length > 0 && own) };
    messages.push(message);
    onStream({ type: "message_end", index: place, message });
  }

  function end(found?: Fields): Message[] {
    finish(false);
    close(found);
    return (ended ??= messages);
  }

  return { take, end };
}

/** A text or a thought as it begins. */
function emptyOf(isThought: boolean): Message {
  return isThought ? { type: "thinking", content: "" } : { role: "assistant", content: "" };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
