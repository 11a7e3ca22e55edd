package binnacle;

import java.net.URI;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * A further cluster of a server that was started with {@code --clusters}. It has its own objects and credentials, and
 * ends when it is closed.
 */
public final class Cluster implements AutoCloseable {
  private final Server server;
  private final Map<String, String> members;

  /** @param from the cluster whose state it has: {@code first}, or the name of another fork */
  Cluster(Server server, String from) {
    this.server = server;
    this.members = ReadyLine.parse(server.ask("POST", "", "{\"from\":\"" + from + "\"}"));
  }

  public String name() {
    return members.get("name");
  }

  /** The address of the server with a path, which clients keep. */
  public URI url() {
    return URI.create(members.get("url"));
  }

  /** The certificate that verifies the server, PEM. */
  public String ca() {
    return members.get("ca");
  }

  /** A bearer token of the cluster's administrator. */
  public String token() {
    return members.get("token");
  }

  /** The version of Kubernetes, for example {@code 1.32.13}. */
  public String version() {
    return members.get("version");
  }

  /** A context that trusts the server alone. */
  public SSLContext sslContext() {
    return server.sslContext();
  }

  /** Makes a cluster with the present state of this one. */
  public Cluster fork() {
    return new Cluster(server, name());
  }

  /** Gives the cluster the state with which it began. Watches end with 410. */
  public void reset() {
    server.ask("POST", "/" + name() + "/reset", "");
  }

  /** Ends the cluster and those that were forked from it. */
  @Override
  public void close() {
    server.ask("DELETE", "/" + name() + "?cascade=true", "");
  }
}
