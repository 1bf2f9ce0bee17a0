// Loaded into the server under attack before it starts: reports to its parent what it holds, after a collection of garbage.

/** What the server holds. */
export interface Cost {
  heapBytes: number;
  /** Sockets, timers and the like that keep it alive. */
  handles: number;
}

process.on("message", (message) => {
  if (message !== "cost") return;
  globalThis.gc?.();
  const cost: Cost = { heapBytes: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length };
  process.send!(cost);
});
process.on("disconnect", () => process.exit());
