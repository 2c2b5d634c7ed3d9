//! What the tests share: repositories made on the spot, and the binary run as a person would.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own, removed with the value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("desk-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs Git in a folder; the machine's own settings play no part.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = git_command(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn git_command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    for (name, value) in [("NAME", "Ada Example"), ("EMAIL", "ada@example.org")] {
        command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
    }
    command
}

/// A commit to be made: its message, and files with their content (`None` deletes).
pub(crate) struct Commit<'a> {
    pub(crate) message: &'a str,
    pub(crate) files: &'a [(&'a str, Option<&'a str>)],
}

/// A repository with these commits, one minute apart, the last one newest.
pub(crate) fn repository(folder: &Path, commits: &[Commit<'_>]) {
    std::fs::create_dir_all(folder).unwrap();
    git(folder, &["init", "-q", "-b", "main"]);
    let mut stream = String::new();
    for (at, commit) in commits.iter().enumerate() {
        write_commit(&mut stream, at, commit.message, commit.files.iter().copied());
    }
    fast_import(folder, &stream);
}

/// A repository with many commits and files, as on a long-lived project.
pub(crate) fn large_repository(folder: &Path, commits: usize, files: usize) {
    std::fs::create_dir_all(folder).unwrap();
    git(folder, &["init", "-q", "-b", "main"]);
    let each = files.div_ceil(commits);
    let mut stream = String::new();
    for at in 0..commits {
        let message = format!(
            "fix(module{}): handle case {at} of the parser\n\nThe text of commit {at} says in some detail what was wrong \
             and why the change mends it; it closes #{}.\n",
            at % 97,
            at % 500
        );
        let names: Vec<String> = (at * each..((at + 1) * each).min(files))
            .map(|n| format!("area{}/part{}/file{n}.rs", n % 40, n % 13))
            .collect();
        write_commit(&mut stream, at, &message, names.iter().map(|name| (name.as_str(), Some(name.as_str()))));
    }
    fast_import(folder, &stream);
}

fn write_commit<'a>(
    stream: &mut String,
    at: usize,
    message: &str,
    files: impl Iterator<Item = (&'a str, Option<&'a str>)>,
) {
    let time = 1_700_000_000 + at * 60;
    write!(stream, "commit refs/heads/main\nmark :{}\ncommitter Ada Example <ada@example.org> {time} +0000\n", at + 1)
        .unwrap();
    write!(stream, "data {}\n{message}\n", message.len()).unwrap();
    if at > 0 {
        writeln!(stream, "from :{at}").unwrap();
    }
    for (path, content) in files {
        match content {
            Some(content) => write!(stream, "M 100644 inline {path}\ndata {}\n{content}\n", content.len()).unwrap(),
            None => writeln!(stream, "D {path}").unwrap(),
        }
    }
}

fn fast_import(folder: &Path, stream: &str) {
    let mut child = git_command(folder).args(["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

/// The binary, with a database of its own.
pub(crate) struct Desk {
    folder: Folder,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { folder: Folder::new() }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join("desk.db")
    }

    /// A command that can be changed before it runs.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_desk"));
        command.arg("--db").arg(self.database()).args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::new(&self.command(arguments).output().unwrap())
    }

    /// Runs a command that has to succeed; gives its JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let mut with_json = arguments.to_vec();
        with_json.push("--json");
        self.run(&with_json).ok().json()
    }
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn new(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// The whole of standard output as one JSON value, with nothing on standard error.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.stderr, "", "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error envelope of a failed run: exit code and reason code.
    #[track_caller]
    pub(crate) fn failed(&self, code: i32, reason: &str) -> serde_json::Value {
        assert_eq!(self.code, Some(code), "{self:?}");
        let envelope = self.json();
        assert_eq!(envelope["error"]["reasonCode"], reason, "{self:?}");
        assert!(envelope["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{self:?}");
        envelope["error"].clone()
    }
}
