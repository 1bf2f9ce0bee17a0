// The frames in which the toy provider streams: bytes, no text. Each is the length of what follows and of the name in it, the name, and the data.

/** One event. */
export interface FramedEvent {
  event?: string;
  data: string;
}

/** Both lengths, as unsigned integers of four bytes, the highest first. */
const headLength = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of one event. */
export function writeFrame({ event = "", data }: FramedEvent): Uint8Array {
  const name = encoder.encode(event);
  const content = encoder.encode(data);
  const frame = new Uint8Array(headLength + name.length + content.length);
  const head = new DataView(frame.buffer);
  head.setUint32(0, name.length + content.length);
  head.setUint32(4, name.length);
  frame.set(name, headLength);
  frame.set(content, headLength + name.length);
  return frame;
}

/**
 * The events that are whole in bytes, and what is left of them.
 * @throws Error for what is no text, and where a name is longer than its frame
 */
export function framesIn(bytes: Uint8Array): { events: FramedEvent[]; rest: Uint8Array } {
  const events: FramedEvent[] = [];
  let rest = bytes;
  while (rest.length >= headLength) {
    const head = new DataView(rest.buffer, rest.byteOffset);
    const [length, named] = [head.getUint32(0), head.getUint32(4)];
    if (named > length) throw new Error(`expected a name of at most ${length} bytes in a frame, got ${named}`);
    if (rest.length < headLength + length) break;
    const event = decoder.decode(rest.subarray(headLength, headLength + named));
    const data = decoder.decode(rest.subarray(headLength + named, headLength + length));
    events.push({ ...(event !== "" && { event }), data });
    rest = rest.subarray(headLength + length);
  }
  return { events, rest };
}
