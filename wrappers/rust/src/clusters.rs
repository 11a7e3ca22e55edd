//! Further clusters of a server that was started with `--clusters`.

use crate::Server;
use std::io::{Error, Result};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// The members that the server answers about a cluster.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct ClusterLine {
    pub name: String,
    /// The address of the server with a path, which clients keep.
    pub url: String,
    /// The certificate that verifies the server, PEM.
    pub ca: String,
    /// A bearer token of the cluster's administrator.
    pub token: String,
    /// The version of Kubernetes, for example `1.32.13`.
    pub version: String,
}

/// A cluster with its own objects and credentials. It ends when it is dropped.
#[derive(Debug)]
pub struct Cluster<'server> {
    server: &'server Server,
    line: ClusterLine,
}

impl Server {
    /// Makes a cluster with the present state of the server's first one. The server needs the flag `--clusters`.
    pub fn fork(&self) -> Result<Cluster<'_>> {
        self.fork_of("first")
    }

    fn fork_of(&self, source: &str) -> Result<Cluster<'_>> {
        let body = serde_json::json!({ "from": source }).to_string();
        let mut answer = self.ask("POST", "", &body)?;
        let text = answer.read_to_string().map_err(Error::other)?;
        let line = serde_json::from_str(&text)?;
        Ok(Cluster { server: self, line })
    }

    /// Sends a request about clusters as the administrator of the first one.
    fn ask(&self, method: &str, path: &str, body: &str) -> Result<Body> {
        let authority = Certificate::from_pem(self.ca.as_bytes()).map_err(Error::other)?;
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::new_with_certs(&[authority]))
            .build();
        let client: Agent = Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            .build()
            .into();
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}/clusters{path}", self.url))
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .body(body.to_owned())
            .map_err(Error::other)?;
        let mut response = client.run(request).map_err(Error::other)?;
        if response.status().is_success() {
            return Ok(response.into_body());
        }
        let reason = response.body_mut().read_to_string().unwrap_or_default();
        Err(Error::other(format!(
            "{method} /clusters{path}: {} {reason} (it needs --clusters)",
            response.status()
        )))
    }
}

impl<'server> Cluster<'server> {
    /// Makes a cluster with the present state of this one.
    pub fn fork(&self) -> Result<Cluster<'server>> {
        self.server.fork_of(&self.line.name)
    }

    /// Gives the cluster the state with which it began. Watches end with 410.
    pub fn reset(&self) -> Result<()> {
        self.server
            .ask("POST", &format!("/{}/reset", self.line.name), "")
            .map(drop)
    }
}

impl std::ops::Deref for Cluster<'_> {
    type Target = ClusterLine;
    fn deref(&self) -> &ClusterLine {
        &self.line
    }
}

impl Drop for Cluster<'_> {
    /// Ends the cluster and those that were forked from it.
    fn drop(&mut self) {
        let path = format!("/{}?cascade=true", self.line.name);
        let _ = self.server.ask("DELETE", &path, "");
    }
}
