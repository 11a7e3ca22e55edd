import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.junit.EnableKubeAPIServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server for the class, by the extension of JUnit; its client is injected. KUBE_API_TEST_DIR names the programs. */
@EnableKubeAPIServer
class KubeApiTest {

  static KubernetesClient client;

  static ConfigMap settings(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).withNamespace("default").endMetadata()
        .withData(Map.of("key", "value")).build();
  }

  @Test
  void writesAndReads() {
    client.resource(settings("written")).create();
    var read = client.configMaps().inNamespace("default").withName("written").get();
    assertEquals("value", read.getData().get("key"));
    client.resource(read).edit(one -> new ConfigMapBuilder(one).addToData("other", "1").build());
    assertEquals(2, client.configMaps().inNamespace("default").withName("written").get().getData().size());
  }

  @Test
  void appliesAndWatches() throws Exception {
    var seen = new CompletableFuture<String>();
    try (var watch = client.configMaps().inNamespace("default").withName("watched").watch(new Watcher<>() {
      @Override
      public void eventReceived(Action action, ConfigMap object) {
        seen.complete(action + " " + object.getMetadata().getName());
      }

      @Override
      public void onClose(WatcherException cause) {
      }
    })) {
      client.resource(settings("watched")).serverSideApply();
      assertEquals("ADDED watched", seen.get(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void deletedNamespacesGo() {
    client.resource(new NamespaceBuilder().withNewMetadata().withName("short").endMetadata().build()).create();
    var inside = new ConfigMapBuilder(settings("inside")).editMetadata().withNamespace("short").endMetadata().build();
    client.resource(inside).create();
    client.namespaces().withName("short").delete();
    client.namespaces().withName("short").waitUntilCondition(one -> one == null, 30, TimeUnit.SECONDS);
  }

  @Test
  void startsAnotherServerWithFlagsAndStopsIt() {
    var server = new KubeAPIServer(KubeAPIServerConfigBuilder.anAPIServerConfig()
        .withApiServerFlag("--controllers", "-*").withWaitForEtcdHealthCheckOnStartup(true).build());
    server.start();
    try (var other = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(server.getKubeConfigYaml())).build()) {
      assertNotNull(other.namespaces().withName("default").get());
      assertTrue(other.getKubernetesVersion().getGitVersion().startsWith("v1."));
    } finally {
      server.stop();
    }
  }
}
