//! An adapter that is a command: one JSON object a line over its stdin and stdout.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::answer::{Adapter, Answer};

/// How long a case may take.
const CASE_TIME: Duration = Duration::from_secs(5);
/// How long the last lines are waited for when the adapter is ended.
const END_TIME: Duration = Duration::from_secs(2);
/// How many cases in a row may get no answer before the rest is given up.
const SILENT_CASES: usize = 12;
/// The most bytes of one line of an adapter.
const LINE_BYTES: u64 = 64 * 1024 * 1024;
/// The most bytes of an adapter's last words that are told.
const LAST_WORDS: usize = 400;

/// Why a command line is no command.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no word in it.
    #[error("the adapter command is empty")]
    Empty,
    /// A quote is not closed.
    #[error("a quote in the adapter command is not closed")]
    OpenQuote,
    /// The program can't be started.
    #[error("the adapter {program:?} can't be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
}

impl CommandError {
    /// `invalid_command` or `adapter_not_started`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty | Self::OpenQuote => "invalid_command",
            Self::Start { .. } => "adapter_not_started",
        }
    }
}

/// An adapter behind a command, started once and again whenever it died or was silent for too long.
#[derive(Debug)]
pub struct Subprocess {
    words: Vec<String>,
    case_time: Duration,
    process: Option<Process>,
    /// The number of the next call.
    next: usize,
    /// Calls that have their answer, so that a second one shows; the others failed otherwise.
    answered: Vec<bool>,
    silent: usize,
    late: Vec<(usize, String)>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    /// Written from a thread of its own: a process that does not read must not block the runner.
    requests: Option<Sender<String>>,
    lines: Receiver<Line>,
    last_words: Arc<Mutex<VecDeque<u8>>>,
    /// Reads them; ends when the pipe does.
    listener: Option<thread::JoinHandle<()>>,
}

enum Line {
    Text(Vec<u8>),
    TooLong,
}

enum Read1 {
    Answer(Answer),
    /// A line that belongs to another case, or to none.
    Other,
}

impl Subprocess {
    /// Starts a command: words separated by white space; single and double quotes keep words together.
    ///
    /// # Errors
    /// [`CommandError`] for a command that is none or can't be started.
    pub fn new(command: &str) -> Result<Self, CommandError> {
        Self::with_time(command, CASE_TIME)
    }

    /// The same with another time for each case.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_time(command: &str, case_time: Duration) -> Result<Self, CommandError> {
        let words = words(command)?;
        let process = Process::start(&words)?;
        Ok(Self {
            words,
            case_time,
            process: Some(process),
            next: 0,
            answered: Vec::new(),
            silent: 0,
            late: Vec::new(),
        })
    }

    fn ask(&mut self, number: usize, op: &str, input: &Value) -> Answer {
        if self.silent >= SILENT_CASES {
            let word =
                format!("not asked: the adapter gave no answer to the last {SILENT_CASES} cases that it was asked");
            return Answer::Broken(word);
        }
        let process = match self.process.take() {
            Some(process) => process,
            None => match Process::start(&self.words) {
                Ok(process) => process,
                Err(error) => return Answer::Broken(error.to_string()),
            },
        };
        let request = json!({ "id": number.to_string(), "op": op, "input": input });
        let deadline = Instant::now() + self.case_time;
        process.send(&request);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match process.lines.recv_timeout(left) {
                Ok(line) => match self.read(number, line) {
                    Read1::Answer(answer) => {
                        self.silent = 0;
                        self.process = Some(process);
                        return answer;
                    }
                    Read1::Other if Instant::now() < deadline => {}
                    Read1::Other => return self.gave_up(process),
                },
                Err(RecvTimeoutError::Timeout) => return self.gave_up(process),
                Err(RecvTimeoutError::Disconnected) => {
                    self.silent = 0;
                    return Answer::Broken(process.died());
                }
            }
        }
    }

    fn gave_up(&mut self, process: Process) -> Answer {
        process.kill();
        self.silent += 1;
        Answer::Broken(format!("no answer within {:?}; the adapter is started again", self.case_time))
    }

    /// What a line says about the call that is waited for, or about an earlier one.
    fn read(&mut self, number: usize, line: Line) -> Read1 {
        let bytes = match line {
            Line::Text(bytes) => bytes,
            Line::TooLong => {
                return Read1::Answer(Answer::Broken("garbage on stdout: a line without an end".to_owned()));
            }
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Read1::Other;
        }
        let Ok(wire) = serde_json::from_slice::<Map<String, Value>>(&bytes) else {
            let line: String = String::from_utf8_lossy(&bytes).chars().take(80).collect();
            return Read1::Answer(Answer::Broken(format!("garbage on stdout: {:?}", line.trim_end())));
        };
        let id = match wire.get("id") {
            Some(Value::String(id)) => id.parse::<usize>().ok(),
            _ => None,
        };
        match id {
            Some(id) if id == number => {
                if let Some(answered) = self.answered.get_mut(number) {
                    *answered = true;
                }
                Read1::Answer(Answer::from_wire(wire))
            }
            Some(id) if id < number => {
                if self.answered.get(id) == Some(&true) {
                    self.late.push((id, "the adapter answered twice".to_owned()));
                }
                // Else the answer comes after its time: that case has failed already.
                Read1::Other
            }
            _ => {
                let id = wire.get("id").unwrap_or(&Value::Null);
                let word = format!("out of order: an answer with the id {id} came where \"{number}\" was asked");
                Read1::Answer(Answer::Broken(word))
            }
        }
    }
}

impl Adapter for Subprocess {
    fn call(&mut self, op: &str, input: &Value) -> Answer {
        let number = self.next;
        self.next += 1;
        self.answered.push(false);
        self.ask(number, op, input)
    }

    fn late_faults(&mut self) -> Vec<(usize, String)> {
        std::mem::take(&mut self.late)
    }

    fn end(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        process.requests = None;
        let deadline = Instant::now() + END_TIME;
        while let Ok(line) = process.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            // No call waits; only second answers to earlier ones matter.
            let _ = self.read(self.next, line);
        }
        process.kill();
    }
}

impl Process {
    fn start(words: &[String]) -> Result<Self, CommandError> {
        let (program, arguments) = words.split_first().ok_or(CommandError::Empty)?;
        let start = |source| CommandError::Start { program: program.clone(), source };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(start)?;
        let (sender, lines) = sync_channel(64);
        if let Some(stdout) = child.stdout.take() {
            // Not joined: a grandchild may hold the pipe open for as long as it likes.
            thread::spawn(move || read_lines(stdout, &sender));
        }
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let listener = child.stderr.take().map(|stderr| {
            let words = Arc::clone(&last_words);
            thread::spawn(move || keep_last(stderr, &words))
        });
        let (requests, waiting) = channel();
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_lines(stdin, &waiting));
        }
        Ok(Self { child, requests: Some(requests), lines, last_words, listener })
    }

    fn send(&self, request: &Value) {
        if let Some(requests) = &self.requests {
            // Where the process is gone, reading tells.
            let _ = requests.send(format!("{request}\n"));
        }
    }

    fn died(mut self) -> String {
        let mut word = "the adapter ended".to_owned();
        // Its stdout is closed; it may still take a moment to be gone.
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                word = format!("the adapter ended ({status})");
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        // So may its last words; a grandchild may hold the pipe open, which is why this wait has an end.
        for _ in 0..50 {
            if self.listener.as_ref().is_none_or(thread::JoinHandle::is_finished) {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let last: Vec<u8> = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let last = String::from_utf8_lossy(&last);
        if let Some(line) = last.lines().rfind(|line| !line.trim().is_empty()) {
            word.push_str(": ");
            word.push_str(line.trim());
        }
        self.kill();
        word
    }

    fn kill(mut self) {
        self.requests = None;
        for _ in 0..10 {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(stdout: impl Read, sender: &SyncSender<Line>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = if line.len() as u64 == LINE_BYTES { Line::TooLong } else { Line::Text(line) };
        if sender.send(line).is_err() {
            return;
        }
    }
}

fn write_lines(mut stdin: ChildStdin, requests: &Receiver<String>) {
    for request in requests {
        if stdin.write_all(request.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn keep_last(mut stderr: impl Read, words: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(read) = stderr.read(&mut buffer) {
        if read == 0 {
            return;
        }
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend(buffer.get(..read).unwrap_or_default());
        let over = words.len().saturating_sub(LAST_WORDS);
        words.drain(..over);
    }
}

/// Takes a command line apart.
fn words(command: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(CommandError::OpenQuote);
    }
    words.extend(word);
    if words.is_empty() { Err(CommandError::Empty) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_command_line_is_words_and_quotes() {
        assert_eq!(words(" node  a.mjs ").unwrap(), ["node", "a.mjs"]);
        assert_eq!(words("sh -c 'read l; exit 3'").unwrap(), ["sh", "-c", "read l; exit 3"]);
        assert_eq!(words("a \"b c\"d ''").unwrap(), ["a", "b cd", ""]);
        assert!(words("  ").is_err());
        assert!(words("a 'b").is_err());
    }
}
