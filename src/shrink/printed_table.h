// Device seconds a trace on the shared oracles, mean/median over three seeds of 69 traces, by an independent
// program under the rules of the count. The row "all" also has the kind none without a machine; flaky is apart.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace norn {

/// For dd, hdd, bhdd, lhdd, lhdd-nopre, probdd.
inline const std::map<std::string, std::vector<std::string>> kPrinted{
    {"none m", {"1317/905", "713/380", "272/175", "17/19", "209/175", "5110/1775"}},
    {"near m", {"2605/2148", "1290/1119", "929/741", "1084/726", "1227/833", "5523/2095"}},
    {"near", {"2210/1863", "1268/1041", "885/741", "1039/726", "1183/833", "5426/2091"}},
    {"uniform m", {"7957/4311", "4224/2551", "5766/2642", "9078/3284", "9173/3350", "6345/2337"}},
    {"uniform", {"5144/3808", "4004/2482", "5288/2585", "8601/3166", "8696/3239", "5843/2287"}},
    {"offpath", {"4657/3352", "5224/3432", "7711/3444", "9735/4927", "9781/5019", "5681/2125"}},
    {"either m", {"1790/1367", "883/598", "447/367", "408/245", "566/401", "5289/1875"}},
    {"undo m", {"3504/2674", "1724/1303", "1485/944", "2060/1215", "2177/1259", "5700/2123"}},
    {"count m", {"5287/3230", "2577/1735", "2648/1391", "3801/1852", "3887/1886", "6039/2293"}},
    {"all", {"3575/2265", "2262/1258", "2571/811", "3585/873", "3711/984", "5607/2011"}},
};

}  // namespace norn
