// README names the registry only once the registry has the package.

import { expect, it } from "vitest";
import { installText } from "./install-text.ts";

const manifest = { name: "agent-loop-spec", version: "1.2.0", engines: { node: ">=22.18" } };

it("is a packed file until the package is published", () => {
  const text = installText({ ...manifest, published: false });
  expect(text).toContain("\nnpm install ../agent-loop-spec/agent-loop-spec-1.2.0.tgz\n");
  expect(text).toContain("`npx --package ../agent-loop-spec/agent-loop-spec-1.2.0.tgz agent-loop-spec`");
  expect(text).not.toContain("npm install agent-loop-spec");
});

it("is the name after that", () => {
  const text = installText({ ...manifest, published: true });
  expect(text).toContain("\nnpm install agent-loop-spec\n");
  expect(text).not.toMatch(/tgz|registry/);
  expect(text).toContain("Node 22.18 or later");
});
