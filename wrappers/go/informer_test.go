package binnacle_test

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"testing"
	"time"

	"binnacle"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
)

const (
	writers = 4
	// client-go waits longer after each end of a watch with 410.
	resets = 3
)

// An informer recovers by itself when its cluster is reset while it is written, and has what the server has.
func TestInformersFollowResets(t *testing.T) {
	server, err := binnacle.New("--clusters")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	for _, streams := range []bool{false, true} {
		t.Run(fmt.Sprint(features.WatchListClient, "=", streams), func(t *testing.T) {
			featuretesting.SetFeatureDuringTest(t, features.WatchListClient, streams)
			followResets(t, server)
		})
	}
}

func followResets(t *testing.T, server *binnacle.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	cluster, err := server.Fork()
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	defer cluster.Delete()
	defer cancel()
	seed(ctx, t, cluster)
	// The first state of this one has objects of its own.
	if cluster, err = cluster.Fork(); err != nil {
		t.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(cluster.Config())
	informer := informers.NewSharedInformerFactory(client, 0).Core().V1().ConfigMaps().Informer()
	handled := &mirror{versions: map[string]string{}, changed: make(chan struct{}, 1)}
	registration, err := informer.AddEventHandler(handled)
	if err != nil {
		t.Fatal(err)
	}
	go informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		t.Fatal("the informer has not synchronized")
	}
	writing, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	for writer := range writers {
		running.Add(1)
		go func() {
			defer running.Done()
			write(writing, t, client.CoreV1().ConfigMaps("default"), writer)
		}()
	}
	last := 0
	for range resets {
		handled.awaitWrites(ctx, t)
		if err := cluster.Reset(); err != nil {
			t.Fatal(err)
		}
		listed := versionsOnServer(ctx, t, client)
		if listed.revision <= last {
			t.Fatal("the version went back from", last, "to", listed.revision)
		}
		last = listed.revision
	}
	handled.awaitWrites(ctx, t)
	stop()
	running.Wait()
	expect := versionsOnServer(ctx, t, client).objects
	for !maps.Equal(expect, handled.copy()) || !maps.Equal(expect, versionsIn(informer.GetStore())) {
		select {
		case <-handled.changed:
		case <-ctx.Done():
			t.Fatal("the informer has", versionsIn(informer.GetStore()), "and its handler", handled.copy(), "of", expect)
		}
	}
}

func seed(ctx context.Context, t *testing.T, cluster *binnacle.Cluster) {
	t.Helper()
	client := kubernetes.NewForConfigOrDie(cluster.Config()).CoreV1().ConfigMaps("default")
	for writer := range writers {
		if _, err := client.Create(ctx, configMap("seed-", writer), meta.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func configMap(prefix string, number int) *core.ConfigMap {
	return &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: prefix + strconv.Itoa(number)}}
}

// write creates, changes and deletes objects until the context ends. A reset takes objects away, and refuses requests
// for a moment, which client-go repeats.
func write(ctx context.Context, t *testing.T, client typed.ConfigMapInterface, writer int) {
	check := func(err error) {
		if err == nil || ctx.Err() != nil || errors.IsNotFound(err) || errors.IsAlreadyExists(err) ||
			errors.IsConflict(err) || errors.IsServiceUnavailable(err) || errors.IsInternalError(err) {
			return
		}
		t.Error("a write has failed:", err)
	}
	for number := 0; ctx.Err() == nil; number++ {
		name := fmt.Sprintf("written-%d-", writer)
		_, err := client.Create(ctx, configMap(name, number), meta.CreateOptions{})
		check(err)
		seeded := configMap("seed-", writer)
		seeded.Data = map[string]string{"number": strconv.Itoa(number)}
		_, err = client.Update(ctx, seeded, meta.UpdateOptions{})
		check(err)
		if number%2 == 0 {
			check(client.Delete(ctx, name+strconv.Itoa(number), meta.DeleteOptions{}))
		}
	}
}

type list struct {
	revision int
	objects  map[string]string
}

// versionsOnServer returns the version of the list, and those of its objects by their keys.
func versionsOnServer(ctx context.Context, t *testing.T, client kubernetes.Interface) list {
	t.Helper()
	found, err := client.CoreV1().ConfigMaps("").List(ctx, meta.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	revision, err := strconv.Atoi(found.ResourceVersion)
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]string{}
	for _, one := range found.Items {
		objects[one.Namespace+"/"+one.Name] = versionOf(&one)
	}
	return list{revision, objects}
}

func versionsIn(store cache.Store) map[string]string {
	versions := map[string]string{}
	for _, one := range store.List() {
		object := one.(*core.ConfigMap)
		versions[object.Namespace+"/"+object.Name] = versionOf(object)
	}
	return versions
}

func versionOf(object *core.ConfigMap) string {
	return string(object.UID) + " " + object.ResourceVersion
}

// mirror holds what a handler of events knows.
type mirror struct {
	lock     sync.Mutex
	versions map[string]string
	writes   int
	changed  chan struct{}
}

func (m *mirror) OnAdd(object any, _ bool) { m.set(object) }
func (m *mirror) OnUpdate(_, object any)   { m.set(object) }
func (m *mirror) OnDelete(object any) {
	m.change(object, func(key, _ string) { delete(m.versions, key) })
}
func (m *mirror) set(object any) {
	m.change(object, func(key, version string) { m.versions[key] = version })
}

func (m *mirror) change(object any, run func(key, version string)) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	one := object.(*core.ConfigMap)
	m.lock.Lock()
	defer m.lock.Unlock()
	run(one.Namespace+"/"+one.Name, versionOf(one))
	m.writes++
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

func (m *mirror) copy() map[string]string {
	m.lock.Lock()
	defer m.lock.Unlock()
	return maps.Clone(m.versions)
}

// awaitWrites waits until the handler has learned of so many changes more than a reset itself makes.
func (m *mirror) awaitWrites(ctx context.Context, t *testing.T) {
	t.Helper()
	m.lock.Lock()
	goal := m.writes + len(m.versions) + 20*writers
	m.lock.Unlock()
	for {
		m.lock.Lock()
		reached := m.writes >= goal
		m.lock.Unlock()
		if reached {
			return
		}
		select {
		case <-m.changed:
		case <-ctx.Done():
			t.Fatal("the informer has stopped")
		}
	}
}
