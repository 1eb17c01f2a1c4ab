package intent

import "context"

// Chain asks the first classifier, and the second only when the first is
// unsure or does not know the language. A second that fails does not lose the
// answer of the first: it is returned together with the error, and stays
// marked as unsure.
func Chain(first, second interface {
	Classify(ctx context.Context, request Utterance) (Intent, error)
}) Func {
	return func(ctx context.Context, request Utterance) (Intent, error) {
		answer, err := first.Classify(ctx, request)
		if err == nil && !answer.Unsure && !answer.Unsupported {
			return answer, nil
		}
		better, secondErr := second.Classify(ctx, request)
		if secondErr != nil {
			return answer, secondErr
		}
		return better, nil
	}
}
