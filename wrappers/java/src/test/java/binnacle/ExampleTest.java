package binnacle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BinnacleExtension.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ExampleTest {
  /** Sends a request as the administrator. */
  private static HttpResponse<String> ask(Server server, String method, String path, String body)
      throws IOException, InterruptedException {
    return ask(server.url(), server.token(), server.sslContext(), method, path, body);
  }

  private static HttpResponse<String> ask(
      URI url, String token, SSLContext context, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .method(method, BodyPublishers.ofString(body))
            .header("authorization", "Bearer " + token)
            .header("content-type", "application/json")
            .build();
    HttpClient client = HttpClient.newBuilder().sslContext(context).build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void aDeletedNamespaceGoesAway(Server server) throws Exception {
    String namespaces = "/api/v1/namespaces";
    String shop = namespaces + "/shop";
    assertEquals(201, ask(server, "POST", namespaces, "{\"metadata\":{\"name\":\"shop\"}}").statusCode());
    String map = "{\"metadata\":{\"name\":\"a\"}}";
    assertEquals(201, ask(server, "POST", shop + "/configmaps", map).statusCode());
    assertEquals(200, ask(server, "DELETE", shop, "").statusCode());
    while (ask(server, "GET", shop, "").statusCode() != 404) Thread.sleep(10);
  }

  @Test
  void testsShareAServer(Server server) throws Exception {
    String version = ask(server, "GET", "/version", "").body();
    assertTrue(version.contains("\"v" + server.version()), version);
  }

  private static int statusIn(Cluster cluster, String method, String path, String body)
      throws IOException, InterruptedException {
    return ask(cluster.url(), cluster.token(), cluster.sslContext(), method, path, body).statusCode();
  }

  @Test
  void forksGoOnForThemselves() throws Exception {
    String maps = "/api/v1/namespaces/default/configmaps";
    try (Server server = new Server("--clusters")) {
      assertEquals(201, ask(server, "POST", maps, "{\"metadata\":{\"name\":\"seed\"}}").statusCode());
      try (Cluster cluster = server.fork()) {
        assertEquals(201, statusIn(cluster, "POST", maps, "{\"metadata\":{\"name\":\"own\"}}"));
        try (Cluster again = cluster.fork()) {
          assertEquals(200, statusIn(again, "GET", maps + "/own", ""));
        }
        assertEquals(404, ask(server, "GET", maps + "/own", "").statusCode());
        cluster.reset();
        assertEquals(404, statusIn(cluster, "GET", maps + "/own", ""));
        assertEquals(200, statusIn(cluster, "GET", maps + "/seed", ""));
      }
    }
  }

  @Test
  void forksNeedAFlag(Server server) {
    Exception error = assertThrows(IllegalStateException.class, server::fork);
    assertTrue(error.getMessage().contains("--clusters"), error.getMessage());
  }

  @Test
  void theFilesGoWithTheServer() throws Exception {
    Path file;
    try (Server server = new Server("--v=2")) {
      file = server.kubeconfig();
      assertTrue(Files.readString(file).contains(server.url().toString()));
      server.close();
      assertTrue(server.log().contains("the standard input ended"), server.log());
    }
    assertFalse(Files.exists(file));
  }

  @Test
  void aFailureHasTheReason() {
    Exception error =
        assertThrows(IllegalStateException.class, () -> new Server("--no-such-flag"));
    assertTrue(error.getMessage().contains("Error: unknown flag: --no-such-flag"), error.getMessage());
  }

  @Test
  void theLineIsReadWithItsEscapes() {
    String line = "{\"url\":\"https://[::1]:1\",\"ca\":\"a\\n\\\"b\\\\\\u00e9\",\"pid\":12,\"later\":\"x\"}";
    assertEquals(
        Map.of("url", "https://[::1]:1", "ca", "a\n\"b\\\u00e9", "pid", "12", "later", "x"),
        ReadyLine.parse(line));
  }
}
