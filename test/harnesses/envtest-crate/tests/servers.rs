use envtest::{BinaryAssetsSettings, Environment};
use serde_json::json;

/// An environment with the programs of KUBEBUILDER_ASSETS.
fn environment() -> Environment {
    Environment {
        binary_assets_settings: BinaryAssetsSettings {
            download_binary_assets: false,
            binary_assets_directory: Some(std::env::var("KUBEBUILDER_ASSETS").unwrap()),
            ..Default::default()
        },
        ..Default::default()
    }
}

#[test]
fn starts_and_stops() {
    smol::block_on(async {
        let server = environment().create().await.unwrap();
        assert!(server.exist());
        server.destroy().await.unwrap();
    });
}

#[test]
fn installs_definitions() {
    let schema = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
    let version = json!({ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } });
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "widgets.example.com" },
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": { "plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList" },
            "versions": [version],
        },
    });
    smol::block_on(async {
        let server = environment().with_crds(definition).unwrap().create().await.unwrap();
        assert!(server.exist());
        server.destroy().await.unwrap();
    });
}
