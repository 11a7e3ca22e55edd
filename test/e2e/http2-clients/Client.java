import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** One HTTP/2 connection of Java's client: a watch, a large list and 100 GETs at the same time. */
class Client {
    static final String PATH = "/api/v1/namespaces/default/configmaps";

    static final X509TrustManager TRUST = new X509TrustManager() {
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    };

    static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(System.getenv("SERVER") + path))
            .header("authorization", "Bearer " + System.getenv("TOKEN"))
            .header("content-type", "application/json");
    }

    static <T> HttpResponse<T> checked(HttpResponse<T> response) {
        if (response.version() != HttpClient.Version.HTTP_2 || response.statusCode() >= 300)
            throw new IllegalStateException(response.toString());
        return response;
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("jdk.internal.httpclient.disableHostnameVerification", "true");
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {TRUST}, new SecureRandom());
        HttpClient client = HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_2).build();
        var watch = checked(client.send(
            request(PATH + "?watch=1&fieldSelector=metadata.name%3Dby-java").build(), BodyHandlers.ofInputStream()));
        var list = client.sendAsync(request(PATH).build(), BodyHandlers.ofByteArray());
        List<CompletableFuture<HttpResponse<byte[]>>> gets = IntStream.range(0, 100)
            .mapToObj(index -> client.sendAsync(request(PATH + "/large-1").build(), BodyHandlers.ofByteArray()))
            .toList();
        long read = 0;
        for (var get : gets) if (checked(get.get()).body().length > 0) read += 1;
        int size = checked(list.get()).body().length;
        checked(client.send(
            request(PATH).POST(BodyPublishers.ofString("{\"metadata\":{\"name\":\"by-java\"}}")).build(),
            BodyHandlers.discarding()));
        String line = new BufferedReader(new InputStreamReader(watch.body())).readLine();
        watch.body().close();
        checked(client.send(request(PATH + "/large-1").build(), BodyHandlers.discarding()));
        System.out.printf("gets=%d list=%d event=%b%n", read, size, line != null);
        System.exit(0);
    }
}
