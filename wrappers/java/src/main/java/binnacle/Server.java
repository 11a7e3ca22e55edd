package binnacle;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A running server: a process of Binnacle that ends with this one at the latest. */
public final class Server implements ExtensionContext.Store.CloseableResource, AutoCloseable {
  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 5;
  /** Lines of the log that errors show. */
  private static final int SHOWN_LINES = 40;

  private final Process process;
  private final Deque<String> log = new ArrayDeque<>();
  private final Thread logReader;
  private final Map<String, String> members;
  private HttpClient client;

  /**
   * Starts a server with further flags.
   *
   * @throws IllegalStateException if it does not become ready; the message has the end of its log
   */
  public Server(String... flags) {
    List<String> words = new ArrayList<>(command());
    words.addAll(List.of("serve", "--ephemeral", "--exit-with-parent", "--print-token"));
    words.addAll(Arrays.asList(flags));
    try {
      process = new ProcessBuilder(words).start();
    } catch (IOException error) {
      throw new IllegalStateException(
          error.getMessage() + ": BINNACLE_BIN names the command that starts Binnacle", error);
    }
    logReader = new Thread(this::readLog, "binnacle log");
    logReader.setDaemon(true);
    logReader.start();
    String line = readLine();
    if (line == null) {
      end();
      throw new IllegalStateException(
          "binnacle did not start (exit code " + process.exitValue() + "): " + log());
    }
    members = ReadyLine.parse(line);
  }

  /** {@code https://127.0.0.1:port} */
  public URI url() {
    return URI.create(members.get("url"));
  }

  /** The administrator's kubeconfig, which goes with the server. */
  public Path kubeconfig() {
    return Path.of(members.get("kubeconfig"));
  }

  /** The certificate that verifies the server, PEM. */
  public String ca() {
    return members.get("ca");
  }

  /** A bearer token of the administrator. */
  public String token() {
    return members.get("token");
  }

  /** The version of Kubernetes, for example {@code 1.32.13}. */
  public String version() {
    return members.get("version");
  }

  public long pid() {
    return process.pid();
  }

  /** The end of the server's log. */
  public String log() {
    synchronized (log) {
      return String.join("\n", log);
    }
  }

  /** A context that trusts the server alone. */
  public SSLContext sslContext() {
    try {
      InputStream pem = new ByteArrayInputStream(ca().getBytes(StandardCharsets.US_ASCII));
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry(
          "binnacle", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException error) {
      throw new IllegalStateException(error);
    }
  }

  /**
   * Makes a cluster with the present state of the server's first one. The server needs the flag {@code --clusters}.
   *
   * @throws IllegalStateException if the server refuses it; the message has its answer
   */
  public Cluster fork() {
    return new Cluster(this, "first");
  }

  /** Sends a request about clusters as the administrator of the first one, and returns the answer. */
  String ask(String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(url().resolve("/clusters" + path))
            .method(method, BodyPublishers.ofString(body))
            .header("authorization", "Bearer " + token())
            .header("content-type", "application/json")
            .build();
    try {
      HttpResponse<String> response = client().send(request, BodyHandlers.ofString());
      if (response.statusCode() < 300) return response.body();
      throw new IllegalStateException(
          String.format(
              "%s /clusters%s: %d %s (it needs --clusters)",
              method, path, response.statusCode(), response.body()));
    } catch (IOException error) {
      throw new IllegalStateException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  private synchronized HttpClient client() {
    if (client == null) client = HttpClient.newBuilder().sslContext(sslContext()).build();
    return client;
  }

  /** Ends the server and waits for it. Further calls do nothing. */
  @Override
  public void close() {
    end();
    if (process.exitValue() != 0)
      throw new IllegalStateException("binnacle ended with " + process.exitValue() + ": " + log());
  }

  private void end() {
    try (OutputStream input = process.getOutputStream()) {
      // Closing it ends the server.
    } catch (IOException ignored) {
      // The process has ended.
    }
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
      logReader.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }

  /** The ready line, or null if the server ends before it or is too slow. */
  private String readLine() {
    BufferedReader reader = readerOf(process.getInputStream());
    CompletableFuture<String> line = CompletableFuture.supplyAsync(() -> nextLine(reader));
    try {
      return line.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException error) {
      return null;
    }
  }

  private void readLog() {
    try (BufferedReader reader = readerOf(process.getErrorStream())) {
      for (String line = nextLine(reader); line != null; line = nextLine(reader))
        synchronized (log) {
          log.add(line);
          if (log.size() > SHOWN_LINES) log.remove();
        }
    } catch (IOException ignored) {
      // The process has ended.
    }
  }

  private static BufferedReader readerOf(InputStream stream) {
    return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  private static String nextLine(BufferedReader reader) {
    try {
      return reader.readLine();
    } catch (IOException error) {
      return null;
    }
  }

  /** The words that start Binnacle: BINNACLE_BIN, a path or several words, or binnacle. */
  private static List<String> command() {
    String value = System.getenv().getOrDefault("BINNACLE_BIN", "").trim();
    if (value.isEmpty()) return List.of("binnacle");
    return Files.exists(Path.of(value)) ? List.of(value) : List.of(value.split("\\s+"));
  }
}
