"""Permissions and approval, as far as no case of the suite can show them."""

import unittest

from approval import input_hash, misdirected
from canonical_json import canonical
from options import differing, in_force, unknown
from permissions import fits, has_command, is_command, resolved


class CanonicalJson(unittest.TestCase):
    def test_numbers_are_written_as_ecmascript_writes_them(self):
        numbers = [0.0, -0.0, 1.0, -1.5, 1e21, 1e20, 123e-7, 1e-6, 1e-7, 5e-324, 2**53, 1.7976931348623157e308]
        small, large = "0.0000123,0.000001,1e-7,5e-324", "9007199254740992,1.7976931348623157e+308"
        expected = f"[0,0,1,-1.5,1e+21,100000000000000000000,{small},{large}]"
        self.assertEqual(canonical(numbers), expected)

    def test_names_are_sorted_by_their_utf_16_code_units(self):
        sorted_names = '{"10":null,"a":true,"😀":2,"\ufb33":1}'
        self.assertEqual(canonical({"\ufb33": 1, "😀": 2, "a": True, "10": None}), sorted_names)

    def test_a_number_that_json_cannot_write_has_no_text(self):
        with self.assertRaises(ValueError):
            canonical(float("inf"))


class Approval(unittest.TestCase):
    call = {"id": "c1", "name": "send", "input": {"to": "Ann"}}

    def test_the_hash_is_that_of_the_spec(self):
        self.assertEqual(input_hash(self.call, {}), "5d7a97dfec2b5ca8dee66813ada3204c5159f313df544bd48291918f79982611")

    def test_the_text_that_the_model_wrote_counts_unless_the_arguments_were_changed(self):
        written = {**self.call, "raw_input": '{"to":1.0000000000000000001}'}
        self.assertNotEqual(input_hash(written, {}), input_hash(self.call, {}))
        self.assertEqual(input_hash(written, {"input": {"to": "Ann"}}), input_hash(self.call, {}))

    def test_a_snapshot_that_was_changed_is_refused(self):
        asked = {"do": "ask", "approval": True, "input_hash": input_hash(self.call, {})}
        decision = {"action": "respond", "output": "sent"}
        self.assertIsNone(misdirected(self.call, asked, decision))
        self.assertIn("other arguments", misdirected({**self.call, "input": {"to": "Eve"}}, asked, decision))


class Options(unittest.TestCase):
    def test_an_unknown_option_is_refused_with_the_nearest_known_one(self):
        self.assertIn("max_turns", unknown({"max_turn": 3}))
        self.assertIsNone(unknown({"max_turn": None, "max_turns": 3}))

    def test_a_snapshot_has_the_options_that_differ(self):
        self.assertEqual(differing(in_force({"max_turns": None, "max_retries": 2})), {"max_turns": None})


class Patterns(unittest.TestCase):
    def test_a_star_stands_for_any_text(self):
        for text, expected in {"ab": True, "a-b-b": True, "a": False, "ba": False, "abc": False}.items():
            self.assertEqual(fits("a*b", text), expected, text)
        self.assertFalse(fits("ab*ba", "aba"))

    def test_a_path_has_no_detours(self):
        paths = {"/srv/../etc": "/etc", "//a/./b//": "/a/b/", "../../x": "../../x", "/..": "/", "a/..": ""}
        self.assertEqual({path: resolved(path) for path in paths}, paths)

    def test_an_allowed_command_is_the_only_one(self):
        self.assertTrue(is_command("ls | wc *", "ls | wc -l"))
        for line in ("ls | wc -l; rm x", "ls ; wc -l", "ls | wc $(rm x)", "ls | wc -l\nrm"):
            self.assertFalse(is_command("ls | wc *", line), line)

    def test_a_denied_command_is_found_between_others(self):
        for line in ("rm x", " rm\t-f", "a;rm x", "a && rm x", "$(rm x)", "a\n rm x"):
            self.assertTrue(has_command("rm *", line), line)
        for line in ("echo rm x", "firm x", "rm"):
            self.assertFalse(has_command("rm *", line), line)
        self.assertFalse(has_command("rm x", "rm xy"))


if __name__ == "__main__":
    unittest.main()
