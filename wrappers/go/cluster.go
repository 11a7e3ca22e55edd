package binnacle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"k8s.io/client-go/rest"
)

// Cluster is a further cluster of a server that was started with --clusters. It has its own objects and credentials.
type Cluster struct {
	Name    string `json:"name"`
	URL     string `json:"url"` // with a path, which clients keep
	CA      string `json:"ca"`  // PEM
	Token   string `json:"token"`
	Version string `json:"version"` // version of Kubernetes

	server *Server
}

// Fork makes a cluster with the present state of the server's first one.
func (s *Server) Fork() (*Cluster, error) { return s.fork("first") }

// ForkFor makes a cluster for a test and returns a configuration for its administrator. The cluster goes when the test
// has finished.
func (s *Server) ForkFor(t testing.TB) *rest.Config {
	t.Helper()
	cluster, err := s.Fork()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Delete(); err != nil {
			t.Error(err)
		}
	})
	return cluster.Config()
}

func (s *Server) fork(from string) (*Cluster, error) {
	cluster := &Cluster{server: s}
	answer, err := s.ask(http.MethodPost, "", map[string]string{"from": from})
	if err != nil {
		return nil, err
	}
	return cluster, json.Unmarshal(answer, cluster)
}

// Config returns a configuration for the administrator of the cluster, without limits on the rate of requests.
func (c *Cluster) Config() *rest.Config { return configOf(c.URL, c.Token, c.CA) }

// Fork makes a cluster with the present state of this one.
func (c *Cluster) Fork() (*Cluster, error) { return c.server.fork(c.Name) }

// Reset gives the cluster the state with which it began. Watches end with 410.
func (c *Cluster) Reset() error {
	_, err := c.server.ask(http.MethodPost, "/"+c.Name+"/reset", nil)
	return err
}

// Delete ends the cluster and those that were forked from it.
func (c *Cluster) Delete() error {
	_, err := c.server.ask(http.MethodDelete, "/"+c.Name+"?cascade=true", nil)
	return err
}

// ask sends a request about clusters as the administrator of the server's first one.
func (s *Server) ask(method, path string, body any) ([]byte, error) {
	client, err := s.client()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(method, s.URL+"/clusters"+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return nil, fmt.Errorf("binnacle: %s /clusters%s: %s: %s (it needs --clusters)", method, path, response.Status, answer)
	}
	return answer, nil
}
