// A right call is not executed because the one beside it names no tool.
// Shows: TOOL-11
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/TOOL-11-an-unknown-tool-beside-it.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "tool_use", "id": "toolu_b", "name": "nobody", "input": {}}, {"type": "tool_use", "id": "toolu_a", "name": "look", "input": {}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isNotExecutedAs("look {}"));
  }
}
