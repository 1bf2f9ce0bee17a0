// Reads and writes the data file of the matrix: a row is replaced whole by a newer one, and the others stay as they are.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { commandLine } from "../kit/base/cli-name.ts";
import type { Matrix, MatrixRow } from "../../schemas/types.ts";
import { makeFolder } from "../kit/base/make-folder.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { describeProblems, validate } from "../kit/base/validate.ts";
import type { Suite } from "../kit/index.ts";
import { essentialRequirements } from "./cells.ts";
import { changesOf } from "./changes.ts";
import { titlesOf } from "./next-messages.ts";

/** A matrix without rows. */
export const emptyMatrix: Matrix = { matrix: 1, requirements: {}, policies: {}, scenes: {}, rows: [] };

/**
 * The matrix of a file; without rows, if there is none.
 * @throws UsageError if it is no matrix
 */
export function readMatrix(file: string): Matrix {
  if (!existsSync(file)) return emptyMatrix;
  let matrix: unknown;
  try {
    matrix = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}; it is written by: ${commandLine} matrix`);
  }
  const problems = validate("Matrix", matrix);
  if (problems.length === 0) return matrix as Matrix;
  throw new UsageError(`${file} is no matrix:\n${describeProblems(problems.slice(0, 5))}`);
}

/** Writes it whole, or not at all. */
export function writeMatrix(file: string, matrix: Matrix): void {
  makeFolder(dirname(file));
  const part = `${file}.part`;
  writeFileSync(part, matrixText(matrix));
  renameSync(part, file);
}

/** The matrix as JSON in which each cell has its own line, so that a changed cell is one changed line. */
export function matrixText({ rows, ...about }: Matrix): string {
  const head = JSON.stringify(about, null, 1).replace(/\n\}$/, "");
  const texts = rows.map((row) => {
    const { cells = {}, next = {}, ...rest } = row;
    const parts = [
      ...Object.entries(rest).map(([name, value]) => `   ${JSON.stringify(name)}: ${JSON.stringify(value)}`),
      ...(row.cells === undefined ? [] : [`   "cells": ${lines(cells)}`]),
      ...(row.next === undefined ? [] : [`   "next": ${lines(next)}`]),
    ];
    return `  {\n${parts.join(",\n")}\n  }`;
  });
  return `${head},\n "rows": [\n${texts.join(",\n")}\n ]\n}\n`;
}

function lines(entries: object): string {
  const all = Object.entries(entries).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return all.length === 0 ? "{}" : `{\n${all.join(",\n")}\n   }`;
}

/**
 * The matrix with a row in the place of the one that it had, and what of it changed. A row that could not be measured leaves one that
 * was measured before as it is.
 */
export function withRow(matrix: Matrix, row: MatrixRow, suite: Suite): Matrix {
  const before = matrix.rows.find(({ id }) => id === row.id);
  if (row.unavailable !== undefined && before?.cells !== undefined) return matrix;
  const changed = changesOf(before, row);
  const rows = [...matrix.rows.filter(({ id }) => id !== row.id), { ...row, ...(changed && { changed }) }];
  const names = new Set(rows.flatMap(({ next = {} }) => Object.keys(next)));
  const policies = [...suite.catalogue.policies].map(([name, { question, choices, spec }]) => [
    name,
    { question, choices: { ...choices }, spec },
  ]);
  return {
    matrix: 1,
    requirements: essentialRequirements(suite.catalogue),
    policies: Object.fromEntries(policies),
    scenes: titlesOf(names, suite),
    rows: rows.toSorted((left, right) => placeOf(left) - placeOf(right) || (left.id < right.id ? -1 : 1)),
  };
}

function placeOf({ kind }: MatrixRow): number {
  return ["framework", "program", "own"].indexOf(kind);
}
