// Command taskmanager is a task manager that you talk to and that cannot lie
// about what it did. It is the example to copy from: a real database, the real
// wire format of OpenAI, a web page, and the guard between model and tools.
//
//	go run ./examples/taskmanager                          a guided tour; no keys, no services
//	go run ./examples/taskmanager chat                     a conversation; /help lists its commands
//	go run ./examples/taskmanager chat "delete Read book"  one turn
//	go run ./examples/taskmanager serve -dev               HTTP API and page on 127.0.0.1:8080
//	go run ./examples/taskmanager help                     every command, flag and fault
//
// Where to look first: tools.go describes the tools, toolbox.go runs them,
// chat.go puts a guard between them and the model, and api.go serves it all.
// The simulated model (simmodel.go, simfaults.go) misbehaves on demand, so that
// every fault of a real model can be seen without waiting for one.
//
// # Many processes
//
// Tasks, conversations, answers and the ledger lie in the database. A process
// keeps nothing between two requests, so that any number of replicas may serve
// the same users from one PostgreSQL. Its driver is compiled by a tag only, so that
// a first run does not wait for it:
//
//	go build -tags fleet ./examples/taskmanager
//	export TASKMANAGER_JWT_SECRET=…  # the same for all, at least 32 bytes
//	taskmanager serve -addr 10.0.0.1:8080 -db postgres://… -model gpt-5-mini
//	taskmanager serve -addr 10.0.0.2:8080 -db postgres://… -model gpt-5-mini
//
// A message that is sent again with the same Idempotency-Key, to whichever
// replica, gets the first answer and runs nothing; if the first process died
// with the turn half done, the ledger keeps every change from running twice.
package main
