// Package binnacle starts Kubernetes API servers for tests. Each is a process of Binnacle that ends with the test,
// at the latest with the program. It rests on docs/start-contract.md alone.
package binnacle

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

const (
	startTimeout = time.Minute
	stopTimeout  = 5 * time.Second
	// Bytes of the log that errors show.
	shownLog = 8192
)

// Server is a running server, with the members of its ready line.
type Server struct {
	Binnacle   string `json:"binnacle"`   // version of Binnacle
	URL        string `json:"url"`        // https://127.0.0.1:port
	Kubeconfig string `json:"kubeconfig"` // path of the administrator's kubeconfig; goes with the server
	CA         string `json:"ca"`         // PEM
	Version    string `json:"version"`    // version of Kubernetes
	Token      string `json:"token"`      // bearer token of the administrator
	PID        int    `json:"pid"`

	client func() (*http.Client, error)

	input io.Closer
	log   *tail
	ended chan struct{}
	exit  error
	kill  func() error
}

// Start starts a server with further flags and returns a configuration for its administrator. The server stops when
// the test has finished.
func Start(t testing.TB, flags ...string) *rest.Config {
	t.Helper()
	server, err := New(flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server.Config()
}

// New starts a server for which the caller is responsible, for example in TestMain.
func New(flags ...string) (*Server, error) {
	words := command()
	words = append(words, "serve", "--ephemeral", "--exit-with-parent", "--print-token")
	process := exec.Command(words[0], append(words[1:], flags...)...)
	server := &Server{log: &tail{}, ended: make(chan struct{})}
	server.client = sync.OnceValues(func() (*http.Client, error) { return rest.HTTPClientFor(server.Config()) })
	process.Stderr = server.log
	process.WaitDelay = stopTimeout
	input, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("%w: BINNACLE_BIN names the command that starts Binnacle", err)
	}
	server.input, server.kill = input, process.Process.Kill
	lines := make(chan []byte, 1)
	go func() {
		reader := bufio.NewReader(output)
		if line, err := reader.ReadBytes('\n'); err == nil {
			lines <- line
		}
		_, _ = io.Copy(io.Discard, reader)
		server.exit = process.Wait()
		close(server.ended)
	}()
	select {
	case line := <-lines:
		if err := json.Unmarshal(line, server); err != nil {
			return nil, errors.Join(fmt.Errorf("binnacle: %q: %w", line, err), server.Stop())
		}
		return server, nil
	case <-server.ended:
		return nil, fmt.Errorf("binnacle did not start: %w: %s", server.exit, server.log)
	case <-time.After(startTimeout):
		return nil, errors.Join(errors.New("binnacle did not start in time"), server.Stop())
	}
}

// Config returns a configuration for the administrator, without limits on the rate of requests.
func (s *Server) Config() *rest.Config { return configOf(s.URL, s.Token, s.CA) }

func configOf(url, token, ca string) *rest.Config {
	return &rest.Config{
		Host:            url,
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: []byte(ca)},
		QPS:             -1,
	}
}

// Log returns the end of the server's log.
func (s *Server) Log() string { return s.log.String() }

// Stop ends the server and waits for it. Further calls do nothing.
func (s *Server) Stop() error {
	_ = s.input.Close()
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		_ = s.kill()
		<-s.ended
	}
	if s.exit != nil {
		return fmt.Errorf("binnacle: %w: %s", s.exit, s.log)
	}
	return nil
}

// command returns the words that start Binnacle: BINNACLE_BIN, a path or several words, or binnacle.
func command() []string {
	value := os.Getenv("BINNACLE_BIN")
	if _, err := os.Stat(value); err == nil {
		return []string{value}
	}
	if words := strings.Fields(value); len(words) > 0 {
		return words
	}
	return []string{"binnacle"}
}

// tail keeps the end of what is written to it.
type tail struct {
	lock sync.Mutex
	text []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.text = append(t.text, text...)
	t.text = t.text[max(0, len(t.text)-shownLog):]
	return len(text), nil
}

func (t *tail) String() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return string(t.text)
}
