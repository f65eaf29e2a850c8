/* Highest: the places of the highest of many numbers; `model.network.compiled.highest`. */

#include <stddef.h>
#include <stdint.h>

/* Numbers looked at together: nearly always none of them is high enough. */
enum { TOGETHER = 64 };

/* ids [wanted] of values [count], highest first, equal ones by ascending place. found: `wanted` numbers of room. What is
 * no number is higher than none. */
void headscope_highest(const float *values, size_t count, size_t wanted, int64_t *ids, float *found) {
    size_t filled = 0;
    for (size_t start = 0; start < count; start += TOGETHER) {
        const size_t end = count - start < TOGETHER ? count : start + TOGETHER;
        int any = filled < wanted;
        if (!any) {
            const float least = found[wanted - 1];
            for (size_t at = start; at < end; at++) any |= values[at] > least;
        }
        for (size_t at = start; any && at < end; at++) {
            const float value = values[at];
            if (filled == wanted && !(value > found[wanted - 1])) continue;
            size_t place = filled < wanted ? filled++ : wanted - 1;
            for (; place > 0 && value > found[place - 1]; place--) {
                found[place] = found[place - 1];
                ids[place] = ids[place - 1];
            }
            found[place] = value;
            ids[place] = (int64_t)at;
        }
    }
}
