// Arguments that are no JSON are executed.
// Shows: TOOL-3
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/TOOL-3-arguments-that-are-no-json.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "tool_use", "id": "call_1", "name": "delete_files", "input": {}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.tool("delete_files", "{\"type\":\"object\",\"properties\":{}}", "deleted");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.isExecuted("but the model had written no JSON"));
  }
}
