use binnacle_server::Server;
use std::time::{Duration, Instant};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::Agent;

/// A client that trusts the server alone and treats no status as an error.
fn client(server: &Server) -> Agent {
    let authority = Certificate::from_pem(server.ca.as_bytes()).unwrap();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&[authority]))
        .build();
    Agent::config_builder()
        .tls_config(tls)
        .http_status_as_error(false)
        .build()
        .into()
}

fn authorization(server: &Server) -> String {
    format!("Bearer {}", server.token)
}

#[test]
fn a_deleted_namespace_goes_away() {
    let server = Server::start(&[]).unwrap();
    let client = client(&server);
    let create = |path: &str, name: &str| {
        let body = format!(r#"{{"metadata":{{"name":"{name}"}}}}"#);
        client
            .post(format!("{}{path}", server.url))
            .header("authorization", authorization(&server))
            .header("content-type", "application/json")
            .send(body)
            .unwrap()
            .status()
    };
    assert_eq!(create("/api/v1/namespaces", "shop"), 201);
    assert_eq!(create("/api/v1/namespaces/shop/configmaps", "a"), 201);
    let shop = format!("{}/api/v1/namespaces/shop", server.url);
    let deleted = client
        .delete(&shop)
        .header("authorization", authorization(&server))
        .call()
        .unwrap();
    assert_eq!(deleted.status(), 200);
    let end = Instant::now() + Duration::from_secs(60);
    while client
        .get(&shop)
        .header("authorization", authorization(&server))
        .call()
        .unwrap()
        .status()
        != 404
    {
        assert!(Instant::now() < end, "the namespace is still there");
    }
}

#[cfg(feature = "clusters")]
#[test]
fn forks_go_on_for_themselves() {
    let server = Server::start(&["--clusters"]).unwrap();
    let client = client(&server);
    let maps = "/api/v1/namespaces/default/configmaps";
    let create = |url: &str, token: &str, name: &str| {
        client
            .post(format!("{url}{maps}"))
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .send(format!(r#"{{"metadata":{{"name":"{name}"}}}}"#))
            .unwrap()
            .status()
    };
    let status = |url: &str, token: &str, name: &str| {
        client
            .get(format!("{url}{maps}/{name}"))
            .header("authorization", format!("Bearer {token}"))
            .call()
            .unwrap()
            .status()
    };
    assert_eq!(create(&server.url, &server.token, "seed"), 201);
    let cluster = server.fork().unwrap();
    assert_eq!(create(&cluster.url, &cluster.token, "own"), 201);
    let again = cluster.fork().unwrap();
    assert_eq!(status(&again.url, &again.token, "own"), 200);
    assert_eq!(status(&server.url, &server.token, "own"), 404);
    drop(again);
    cluster.reset().unwrap();
    assert_eq!(status(&cluster.url, &cluster.token, "own"), 404);
    assert_eq!(status(&cluster.url, &cluster.token, "seed"), 200);
}

#[cfg(feature = "clusters")]
#[test]
fn forks_need_a_flag() {
    let server = Server::start(&[]).unwrap();
    let error = server.fork().unwrap_err().to_string();
    assert!(error.contains("--clusters"), "{error}");
}

#[test]
fn the_files_go_with_the_server() {
    let mut server = Server::start(&["--v=2"]).unwrap();
    let file = server.kubeconfig.clone();
    assert!(std::fs::read_to_string(&file)
        .unwrap()
        .contains(&server.url));
    server.stop().unwrap();
    server.stop().unwrap();
    assert!(!file.exists());
    assert!(
        server.log().contains("the standard input ended"),
        "{}",
        server.log()
    );
    let dropped = Server::start(&[]).unwrap().kubeconfig.clone();
    assert!(!dropped.exists());
}

#[test]
fn a_failure_has_the_reason() {
    let error = Server::start(&["--no-such-flag"]).unwrap_err().to_string();
    assert!(
        error.contains("Error: unknown flag: --no-such-flag"),
        "{error}"
    );
}
