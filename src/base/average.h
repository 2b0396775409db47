// What a table says of many values: their mean and their median.
#pragma once

#include <span>
#include <vector>

namespace norn {

double mean(std::span<const double> values);  ///< 0 of nothing
/// The value in the middle; of an even number the mean of the two there; 0 of nothing.
double median(std::vector<double> values);

}  // namespace norn
