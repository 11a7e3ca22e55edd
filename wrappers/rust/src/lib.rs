//! Starts Kubernetes API servers for tests. Each is a process of Binnacle that ends with its [`Server`], at the
//! latest with the program. It rests on `docs/start-contract.md` alone.

#[cfg(feature = "clusters")]
mod clusters;

#[cfg(feature = "clusters")]
pub use clusters::{Cluster, ClusterLine};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{mpsc, Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const START_TIMEOUT: Duration = Duration::from_secs(60);
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// Lines of the log that errors show.
const SHOWN_LINES: usize = 40;

/// The members of the line that a ready server prints.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct ReadyLine {
    /// The version of Binnacle.
    pub binnacle: String,
    /// `https://127.0.0.1:port`
    pub url: String,
    /// The administrator's kubeconfig, which goes with the server.
    #[serde(default)]
    pub kubeconfig: PathBuf,
    /// The certificate that verifies the server, PEM.
    pub ca: String,
    /// A bearer token of the administrator.
    pub token: String,
    /// The version of Kubernetes, for example `1.32.13`.
    pub version: String,
    pub pid: u32,
}

/// A running server. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    line: Option<ReadyLine>,
    process: Child,
    input: Option<ChildStdin>,
    log: Arc<Mutex<VecDeque<String>>>,
    log_reader: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server with further flags. The error has the end of its log.
    pub fn start(flags: &[&str]) -> Result<Server> {
        let words = command();
        let mut process = Command::new(&words[0])
            .args(&words[1..])
            .args([
                "serve",
                "--ephemeral",
                "--exit-with-parent",
                "--print-token",
            ])
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let advice = "BINNACLE_BIN names the command that starts Binnacle";
                Error::new(error.kind(), format!("{}: {error}: {advice}", words[0]))
            })?;
        let log = Arc::new(Mutex::new(VecDeque::new()));
        let (kept, errors) = (log.clone(), process.stderr.take().expect("a pipe"));
        let log_reader = thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                let mut lines = kept.lock().expect("no panic");
                lines.push_back(line);
                if lines.len() > SHOWN_LINES {
                    lines.pop_front();
                }
            }
        });
        let (sender, receiver) = mpsc::channel();
        let output = process.stdout.take().expect("a pipe");
        thread::spawn(move || {
            let mut line = String::new();
            let _ = BufReader::new(output).read_line(&mut line);
            let _ = sender.send(line);
        });
        let input = process.stdin.take();
        let mut server = Server {
            line: None,
            process,
            input,
            log,
            log_reader: Some(log_reader),
        };
        let line = receiver.recv_timeout(START_TIMEOUT).unwrap_or_default();
        if !line.ends_with('\n') {
            let status = server.end()?;
            return Err(Error::new(
                ErrorKind::Other,
                format!("binnacle did not start ({status}): {}", server.log()),
            ));
        }
        server.line = Some(serde_json::from_str(&line)?);
        Ok(server)
    }

    /// The end of the server's log.
    pub fn log(&self) -> String {
        let lines = self.log.lock().expect("no panic");
        lines
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Ends the server and waits for it. An error if it ended with another exit code than 0.
    pub fn stop(&mut self) -> Result<()> {
        let status = self.end()?;
        if status.success() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Other,
            format!("binnacle ended with {status}: {}", self.log()),
        ))
    }

    fn end(&mut self) -> Result<ExitStatus> {
        // Its end ends the server.
        drop(self.input.take());
        let end = Instant::now() + STOP_TIMEOUT;
        while self.process.try_wait()?.is_none() {
            if Instant::now() > end {
                self.process.kill()?;
            }
            thread::sleep(Duration::from_millis(5));
        }
        if let Some(reader) = self.log_reader.take() {
            let _ = reader.join();
        }
        self.process.wait()
    }
}

impl std::ops::Deref for Server {
    type Target = ReadyLine;
    fn deref(&self) -> &ReadyLine {
        self.line.as_ref().expect("a server that has started")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// The words that start Binnacle: `BINNACLE_BIN`, a path or several words, or `binnacle`.
fn command() -> Vec<String> {
    let value = std::env::var("BINNACLE_BIN").unwrap_or_default();
    if Path::new(&value).exists() {
        return vec![value];
    }
    let words: Vec<String> = value.split_whitespace().map(String::from).collect();
    if words.is_empty() {
        vec!["binnacle".into()]
    } else {
        words
    }
}
