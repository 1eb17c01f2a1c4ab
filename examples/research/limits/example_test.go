package limits_test

import (
	"fmt"

	"github.com/bonafide-go/bonafide/examples/research/limits"
)

func ExampleLimits_WithEnv() {
	set, err := limits.Defaults().WithJSON([]byte(`{"web_search_max_results": 10, "task_priorities": ["low", "high"]}`))
	if err != nil {
		panic(err)
	}
	set, err = set.WithEnv("MYAPP_", []string{"MYAPP_WEB_SEARCH_MAX_RESULTS=5", "PATH=/bin"})
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
