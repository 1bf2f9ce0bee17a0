// What the formats of other tools have in common: exchanges with whole addresses and bodies, and what they do not say.

/** An exchange as it stands in a file of another tool. Names of headers are in lower case. */
export interface ForeignExchange {
  /** Null where the file has only the response. */
  request: { headers: Headers; body: Uint8Array | undefined } | null;
  method: string;
  url: string;
  status: number;
  headers: Headers;
  /** Undefined where the file has the response without its body. */
  body: Uint8Array | undefined;
  /** When the request began, in milliseconds since 1970, where the file says so. */
  began?: number;
  cut?: "client" | "server";
}

type Headers = Record<string, string>;

/** A file of another tool. */
export interface ForeignTraffic {
  /** The tool that wrote it, as it calls itself. */
  maker: string;
  /** When it was recorded, in milliseconds since 1970, where the file says so. */
  date: number | undefined;
  /** In the order in which they began. */
  exchanges: ForeignExchange[];
  /** What the file says of itself, where it was made of a fixture. */
  origin?: Record<string, unknown>;
  /** What is lost on the way, in words for a person. */
  losses: string[];
}
