// What a tool of the server did does not go back.
// Shows: LOOP-1
// Run it in the folder of the driver: java -cp "target/lib/*:target/classes" repro/LOOP-1-a-tool-of-the-server.java

class Repro {
  public static void main(String[] args) throws Exception {
    Scene scene = new Scene("anthropic-messages", false);
    scene.answer("""
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_sequence": null, "content": [{"type": "text", "text": "I search."}, {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "hills"}}, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"type": "web_search_result", "url": "https://example.com/", "title": "Hills", "encrypted_content": "c2VhbGVk", "page_age": null}]}, {"type": "tool_use", "id": "toolu_a", "name": "look", "input": {}}], "stop_reason": "tool_use", "usage": {"input_tokens": 5, "output_tokens": 5}}""");
    scene.tool("look", "{\"type\":\"object\",\"properties\":{}}", "seen");
    scene.play(Agent::of, "Go on.");
    scene.verdict(scene.lacks("I search.", "srvtoolu_1", "c2VhbGVk", "toolu_a"));
  }
}
