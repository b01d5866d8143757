import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pyrightComment, pyrightLine } from '../src/commands/pyrightRules.ts';

test('the comment goes to the top, behind what must stand first', () => {
  assert.equal(pyrightLine('import triton\n'), 0);
  assert.equal(pyrightLine('#!/usr/bin/env python3\nimport triton\n'), 1);
  assert.equal(pyrightLine('#!/usr/bin/env python3\r\n# -*- coding: utf-8 -*-\r\n'), 2);
  assert.equal(pyrightLine(''), 0);
});

test('a file is not told twice', () => {
  assert.equal(pyrightLine(`import x\n${pyrightComment}\n`), undefined);
  assert.equal(pyrightLine('# pyright: reportCallIssue=false\n'), undefined);
  assert.equal(pyrightLine('# pyright is a type checker\n'), 0);
});
