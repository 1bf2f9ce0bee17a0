"""The parser gives the same events however the bytes are cut."""

import random
import unittest
from typing import List

from sse import Event, SseParser, TooLong

STREAM = (
    "\ufeff: a comment\r\nevent: greeting\r\ndata: Grüß\r\ndata: Gott \U0001f600\r\n\r\n"
    "data:no space\n\nid: 7\nretry: 10\ndata\n\n\revent: lonely\n\ndata: {\"a\": 1}\r\rdata: never ended\n"
).encode()
EVENTS = [Event("greeting", "Grüß\nGott \U0001f600"), Event("", "no space"), Event("", ""), Event("", '{"a": 1}')]


class SseTest(unittest.TestCase):
    def test_whole(self) -> None:
        self.assertEqual(list(SseParser().feed(STREAM)), EVENTS)

    def test_byte_by_byte(self) -> None:
        parser = SseParser()
        self.assertEqual([event for byte in STREAM for event in parser.feed(bytes([byte]))], EVENTS)

    def test_random_cuts(self) -> None:
        chance = random.Random(7)
        for _ in range(200):
            cuts = sorted(chance.sample(range(len(STREAM)), 6))
            parser = SseParser()
            found: List[Event] = []
            for start, end in zip([0, *cuts], [*cuts, len(STREAM)]):
                found += parser.feed(STREAM[start:end])
            self.assertEqual(found, EVENTS)

    def test_an_event_is_there_as_soon_as_it_has_ended(self) -> None:
        self.assertEqual(list(SseParser().feed(b"data: now\r\n\r")), [Event("", "now")])

    def test_a_line_may_have_so_many_bytes_and_no_more_wherever_it_is_cut(self) -> None:
        for cut in range(1, 30):
            parser, stream = SseParser(line_bytes=8), b"data: ab\n\ndata: abc\n\n"
            found: List[Event] = []
            with self.assertRaises(TooLong):
                for start in range(0, len(stream), cut):
                    found += parser.feed(stream[start : start + cut])
            self.assertEqual(found, [Event("", "ab")])


if __name__ == "__main__":
    unittest.main()
