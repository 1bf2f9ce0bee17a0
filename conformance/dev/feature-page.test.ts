// Every feature has an example and a place among the topics, and what the topics name is there.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedSuite } from "../kit/testing/shared-suite.ts";
import { anchorOf, examplesOf, readExamples, readTopics, sectionOf, topicMistakes } from "./feature-data.ts";
import { root } from "./schema-files.ts";

const suite = await sharedSuite();
const features = [...suite.catalogue.features.keys()];
const requirements = [...suite.catalogue.requirements.values()];
const topics = Object.values(readTopics()).flat();

describe("the examples", () => {
  it("are those in the folder, and show only features that exist", () => {
    const files = readdirSync(join(root, "reference/examples")).filter((name) => /(?<!\.test)\.ts$/.test(name));
    expect(Object.keys(readExamples()).sort()).toEqual(files.sort());
    expect(
      Object.values(readExamples())
        .flat()
        .filter((name) => !features.includes(name)),
    ).toEqual([]);
  });

  it("show every feature", () => {
    expect(features.filter((name) => examplesOf(name).length === 0)).toEqual([]);
  });
});

describe("the topics", () => {
  it("name what is there", () => {
    expect(topicMistakes(topics, suite)).toEqual([]);
  });

  it("have every feature", () => {
    const named = new Set(
      topics.flatMap((one) => [
        ...(one.features ?? []),
        ...(one.requirements ?? []).map((id) => suite.catalogue.requirements.get(id)?.feature),
      ]),
    );
    expect(features.filter((name) => !named.has(name))).toEqual([]);
  });

  it("are refused if they name what is not there, or nothing", () => {
    const wrong = { topic: "x", features: ["flying"], requirements: ["LOOP-0"], cases: ["no/case"], see: ["no/file"] };
    expect(topicMistakes([wrong, { topic: "y" }], suite)).toEqual([
      'spec/topics.json: "x": there is no feature flying',
      'spec/topics.json: "x": LOOP-0 is no requirement, or no case tests it',
      'spec/topics.json: "x": there is no case no/case',
      'spec/topics.json: "x": there is no file no/file',
      'spec/topics.json: "y": it names nothing that shows it, no layer, and nothing planned',
    ]);
  });
});

describe("the place of a feature", () => {
  it("is a section, or a chapter of its own, or the list of features", () => {
    expect(sectionOf("budget", requirements)).toEqual({ title: "Limits", link: "loop/loop.md#limits" });
    expect(sectionOf("hooks", requirements)).toEqual({ title: "Hooks", link: "loop/hooks.md" });
    expect(
      sectionOf(
        "streaming",
        requirements.filter(({ feature }) => feature !== "streaming"),
      ),
    ).toEqual({
      title: "Features",
      link: "kit/conformance.md#features",
    });
  });

  it("has the anchor that GitHub gives it", () => {
    expect(anchorOf("`clock.virtual`, and what it's for")).toBe("clockvirtual-and-what-its-for");
  });
});
