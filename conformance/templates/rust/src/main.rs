//! The driver of my-loop: lets the conformance kit run the loop, over stdin and stdout.
//!
//!     npx agent-loop-spec driver check --driver .       the protocol, message by message
//!     npx agent-loop-spec test --driver . --case loop/  the first cases
//!     npx agent-loop-spec explain LOOP-7                what a requirement says, and which cases test it

use serde_json::{json, Value};
use std::io::{self, BufRead, Write};

fn initialize() -> Value {
    json!({
        "protocol": 1,
        "implementation": {"name": "my-loop", "version": "0.1.0", "language": "rust"},
        "seams": ["generic"], // the kit is the model; the providers come later
        "features": [], // what the loop has beyond the core: npx agent-loop-spec list features
        "reports": ["session", "result"], // add "events" when the loop tells them, with `send`
    })
}

/// The loop. Returns {"session": …, "result": …}, as RunResponse in schemas/driver.schema.json.
/// `params` is {"session", "agents", "agent", "options"?}, as RunParams in that file.
fn run_loop(_params: &Value, _kit: &mut Kit) -> Result<Value, KitError> {
    let message = "the loop is not written yet; write it in run_loop of src/main.rs: invoke the model, append what it \
        answers, execute its calls, and so on until there are none; spec/loop/loop.md says how, spec/loop/results.md what to return";
    Err(json!({"message": message}))
}

/// {"message", "data"?}: an error with which the kit answered. `data` is ModelErrorData or ToolErrorData.
type KitError = Value;

/// The model and the tools of a run.
struct Kit {
    run: Value,
    asked: u64,
}

#[allow(dead_code)] // until the loop calls them
impl Kit {
    /// {"messages", "tools"} to {"messages", "stop_reason", …}, or an error if the call fails
    fn invoke_model(&mut self, request: Value) -> Result<Value, KitError> {
        self.ask("model/invoke", json!({"run": self.run, "request": request}))
    }

    /// {"id", "name", "input"} to {"output", "is_error"?}, or an error if the tool throws
    fn execute_tool(&mut self, call: Value) -> Result<Value, KitError> {
        self.ask("tool/execute", json!({"run": self.run, "call": call}))
    }

    /// As long as one run at a time is enough, the next line is the answer.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, KitError> {
        self.asked += 1;
        send(json!({"id": format!("d{}", self.asked), "method": method, "params": params}));
        let mut answer = receive().ok_or_else(|| json!({"message": "the kit has gone"}))?;
        match answer["error"].take() {
            Value::Null => Ok(answer["result"].take()),
            error => Err(error),
        }
    }
}

/// One message, one line, and nothing else on stdout: what the loop prints goes to stderr.
fn send(mut message: Value) {
    message["jsonrpc"] = json!("2.0");
    writeln!(io::stdout(), "{message}").expect("the kit reads");
}

fn receive() -> Option<Value> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

fn answer(method: &str, params: &Value) -> Result<Value, (i32, KitError)> {
    let run = params["run"].clone();
    match method {
        "initialize" => Ok(initialize()),
        "run" => run_loop(params, &mut Kit { run, asked: 0 }).map_err(|error| (-32603, error)),
        "shutdown" => Ok(json!({})),
        _ => Err((-32601, json!({"message": format!("no method {method}")}))),
    }
}

fn main() {
    while let Some(request) = receive() {
        let (id, method) = (&request["id"], request["method"].as_str().unwrap_or(""));
        match answer(method, &request["params"]) {
            _ if id.is_null() => {} // a notification that this driver does not know
            Ok(result) => send(json!({"id": id, "result": result})),
            Err((code, error)) => {
                let error = json!({"code": code, "message": error["message"]});
                send(json!({"id": id, "error": error}));
            }
        }
    }
}
