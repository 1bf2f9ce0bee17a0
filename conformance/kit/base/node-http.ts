// Node's HTTP, loaded as `require` loads it: an `import` reads every export, and with WebSocket Node's whole fetch, at every start.

export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule("node:http");
