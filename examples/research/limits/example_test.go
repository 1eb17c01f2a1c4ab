package limits_test

import (
	"fmt"

	"github.com/bonafide-go/bonafide/examples/research/limits"
)

func ExampleLimits_WithEnv() {
	set, err := limits.Defaults().WithEnv("MYAPP_", []string{
		"MYAPP_WEB_SEARCH_MAX_RESULTS=5", "MYAPP_TASK_PRIORITIES=low, high", "PATH=/bin",
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(set.WebSearchMaxResults, set.TaskPriorities)
	_, err = set.WithEnv("MYAPP_", []string{"MYAPP_WEB_SEARCH_MAX_RESULTS=many"})
	fmt.Println(err)
	// Output:
	// 5 [low high]
	// MYAPP_WEB_SEARCH_MAX_RESULTS is "many"; it must be a whole number
}
