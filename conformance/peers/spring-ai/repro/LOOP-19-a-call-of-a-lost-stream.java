// A call of a stream that never ended is executed.
// Shows: LOOP-19
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/LOOP-19-a-call-of-a-lost-stream.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("openai-chat", true);
    scene.answer("""
        data: {"id": "chatcmpl-1", "created": 1, "model": "gpt-5", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "delete_files", "arguments": "{\\"path\\": \\"/etc\\"}"}, "index": 0}]}, "finish_reason": null}]}

        """);
    scene.tool("delete_files", "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]}", "deleted");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isExecuted("although the stream never ended"));
  }
}
