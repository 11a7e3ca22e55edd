//go:build tools

// Package tools keeps the versions of h2spec and of what it needs.
package tools

import (
	_ "github.com/summerwind/h2spec/cmd/h2spec"
)
