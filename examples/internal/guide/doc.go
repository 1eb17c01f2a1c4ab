// Package guide holds the code of the guide in .github/docs, so that it compiles and does what the guide says.
package guide
