import assert from "node:assert/strict";
import { test } from "node:test";
import { squares } from "../../../js/mathematics/template_name.js";

test("the squares begin with that of 0", () => {
  assert.deepEqual(squares(5), [0, 1, 4, 9, 16]);
});
