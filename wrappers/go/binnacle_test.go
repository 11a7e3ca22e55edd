package binnacle_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"binnacle"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// A whole test: a server of its own, a client, and the garbage collector at work.
func TestDependentsGoWithTheirOwner(t *testing.T) {
	client := kubernetes.NewForConfigOrDie(binnacle.Start(t))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	maps := client.CoreV1().ConfigMaps("default")
	owner, err := maps.Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "owner"}}, meta.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reference := meta.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}
	dependent := &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "dependent", OwnerReferences: []meta.OwnerReference{reference}}}
	if _, err = maps.Create(ctx, dependent, meta.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err = maps.Delete(ctx, owner.Name, meta.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for {
		_, err := maps.Get(ctx, "dependent", meta.GetOptions{})
		if errors.IsNotFound(err) {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("the dependent is still there")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestForksGoOnForThemselves(t *testing.T) {
	server, err := binnacle.New("--clusters")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	create := func(config *rest.Config, name string) {
		t.Helper()
		maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default")
		if _, err := maps.Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: name}}, meta.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(config *rest.Config, name string, exists bool) {
		t.Helper()
		_, err := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default").Get(ctx, name, meta.GetOptions{})
		if (err == nil) != exists {
			t.Fatal(name, err)
		}
	}
	create(server.Config(), "seed")
	cluster, err := server.Fork()
	if err != nil {
		t.Fatal(err)
	}
	create(cluster.Config(), "own")
	again, err := cluster.Fork()
	if err != nil {
		t.Fatal(err)
	}
	expect(again.Config(), "own", true)
	expect(server.Config(), "own", false)
	if err := again.Delete(); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Reset(); err != nil {
		t.Fatal(err)
	}
	expect(cluster.Config(), "own", false)
	expect(cluster.Config(), "seed", true)
	t.Run("for a test", func(t *testing.T) { expect(server.ForkFor(t), "seed", true) })
}

func TestForksNeedAFlag(t *testing.T) {
	server, err := binnacle.New()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	if _, err := server.Fork(); err == nil || !strings.Contains(err.Error(), "--clusters") {
		t.Fatal(err)
	}
}

func TestServerGoesWithItsFiles(t *testing.T) {
	server, err := binnacle.New("--kubernetes-service-node-port=30123")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(server.Kubeconfig); err != nil || !strings.Contains(string(text), server.URL) {
		t.Fatal(string(text), err)
	}
	for range 2 {
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(server.Kubeconfig); !os.IsNotExist(err) {
		t.Fatal("the kubeconfig is still there", err)
	}
	if !strings.Contains(server.Log(), "the standard input ended") {
		t.Fatal(server.Log())
	}
}

func TestFailureHasTheReason(t *testing.T) {
	_, err := binnacle.New("--no-such-flag")
	if err == nil || !strings.Contains(err.Error(), "Error: unknown flag: --no-such-flag") {
		t.Fatal(err)
	}
	t.Setenv("BINNACLE_BIN", "no-such-command")
	_, err = binnacle.New()
	if err == nil || !strings.Contains(err.Error(), "BINNACLE_BIN") {
		t.Fatal(err)
	}
}
