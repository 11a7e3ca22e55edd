// Command client uses one HTTP/2 connection as client-go does: a watch, a large list and 100 GETs at the same
// time.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
)

const path = "/api/v1/namespaces/default/configmaps"

var connections atomic.Int32

var client = &http.Client{Transport: &http.Transport{
	ForceAttemptHTTP2: true,
	DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		connections.Add(1)
		dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}}
		return dialer.DialContext(ctx, network, address)
	},
}}

func send(method, path string, body []byte) *http.Response {
	request, err := http.NewRequest(method, os.Getenv("SERVER")+path, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	if response.ProtoMajor != 2 || response.StatusCode >= 300 {
		log.Fatal(response.Proto, " ", response.Status)
	}
	return response
}

func read(path string) int {
	response := send("GET", path, nil)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	return len(body)
}

func main() {
	watch := send("GET", path+"?watch=1&fieldSelector=metadata.name=by-go", nil)
	var group sync.WaitGroup
	var gets atomic.Int32
	var list int
	group.Add(1)
	go func() {
		defer group.Done()
		list = read(path)
	}()
	for index := 0; index < 100; index++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if read(path+"/large-1") > 0 {
				gets.Add(1)
			}
		}()
	}
	group.Wait()
	created := send("POST", path, []byte(`{"metadata":{"name":"by-go"}}`))
	created.Body.Close()
	line, err := bufio.NewReader(watch.Body).ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	// Closing an unfinished body resets its stream; the connection goes on.
	watch.Body.Close()
	for index := 0; index < 20; index++ {
		send("GET", path+"?watch=1", nil).Body.Close()
	}
	read(path + "/large-1")
	fmt.Printf("gets=%d list=%d event=%t connections=%d\n", gets.Load(), list, len(line) > 0, connections.Load())
}
